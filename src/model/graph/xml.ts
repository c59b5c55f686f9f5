/** What XML 1.0 cannot hold, and what would turn the direction of the text around it. */
const UNSAFE =
  // eslint-disable-next-line no-control-regex -- control characters are what it is about
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;'
};

/** A text as it may stand in an XML document, in an element or in an attribute. */
export function escapeXml(text: string): string {
  return text
    .replace(UNSAFE, '\ufffd')
    .replace(/[&<>"']/g, sign => ENTITIES[sign] ?? sign);
}

/** An element. `inside` is markup already, attributes are not. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside = ''
): string {
  const texts = Object.entries(attributes).map(
    ([key, value]) =>
      ` ${key}="${typeof value === 'number' ? decimal(value) : escapeXml(value)}"`
  );
  const start = `<${name}${texts.join('')}`;
  return inside ? `${start}>${inside}</${name}>` : `${start}/>`;
}

/** One decimal is enough. */
export function decimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
