/** A stretch of one line's text, with its class in JupyterLab's editor theme. */
export interface Token {
  readonly text: string;
  readonly kind:
    | 'text'
    | 'keyword'
    | 'atom'
    | 'string'
    | 'comment'
    | 'number'
    | 'definition'
    | 'meta';
}

const KEYWORDS = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield match case'
  ).split(' ')
);
const ATOMS = new Set(['True', 'False', 'None']);

const TOKEN = new RegExp(
  [
    String.raw`(?<comment>#.*)`,
    String.raw`(?<string>[rRbBfFuUtT]{0,2}(?:"""|'''|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?))`,
    String.raw`(?<number>\b(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?j?)\b)`,
    String.raw`(?<meta>@[\w.]+)`,
    String.raw`(?<word>[\p{L}_][\p{L}\p{N}_]*)`
  ].join('|'),
  'gu'
);

/** Splits lines of Python source into tokens. Good enough to colour it, no parser. */
export function tokenize(source: readonly string[]): Token[][] {
  const lines: Token[][] = [];
  let open: string | null = null;
  for (const line of source) {
    const result: { tokens: Token[]; open: string | null } = tokenizeLine(
      line,
      open
    );
    lines.push(result.tokens);
    open = result.open;
  }
  return lines;
}

/** @param open - the quotes of a string that began on an earlier line. */
function tokenizeLine(
  line: string,
  open: string | null
): { tokens: Token[]; open: string | null } {
  const tokens: Token[] = [];
  let at = 0;
  let quotes = open;
  const add = (end: number, kind: Token['kind']): void => {
    if (end > at) {
      tokens.push({ text: line.slice(at, end), kind });
      at = end;
    }
  };
  while (at < line.length) {
    if (quotes) {
      const end = line.indexOf(quotes, at);
      add(end < 0 ? line.length : end + quotes.length, 'string');
      quotes = end < 0 ? quotes : null;
      continue;
    }
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(line);
    if (!match) {
      add(line.length, 'text');
      break;
    }
    add(match.index, 'text');
    const afterDefinition = /\b(?:def|class)\s+$/.test(line.slice(0, at));
    add(at + match[0].length, kindOf(match.groups ?? {}, afterDefinition));
    if (/^[a-zA-Z]*("""|''')$/.test(match[0])) {
      quotes = match[0].slice(-3);
    }
  }
  return { tokens, open: quotes };
}

function kindOf(
  groups: Record<string, string | undefined>,
  afterDefinition: boolean
): Token['kind'] {
  const { word } = groups;
  if (word === undefined) {
    const kinds = ['comment', 'string', 'number', 'meta'] as const;
    return kinds.find(kind => groups[kind] !== undefined) ?? 'text';
  }
  if (KEYWORDS.has(word)) {
    return 'keyword';
  }
  if (ATOMS.has(word)) {
    return 'atom';
  }
  return afterDefinition ? 'definition' : 'text';
}
