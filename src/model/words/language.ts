/** What says our words in the language of the user: as much of JupyterLab's `TranslationBundle` as is needed. */
export interface Language {
  /** @param text - in English; `%1` stands for the first of the values, `%%` for a percent sign. */
  __(text: string, ...values: (string | number)[]): string;
  /** As many of something as a number says. @param one, many - in English; `%1` is the number, `%2` the first of the values. */
  _n(
    one: string,
    many: string,
    count: number,
    ...values: (string | number)[]
  ): string;
}

/** As our texts stand in the code. */
export const ENGLISH: Language = {
  __: (text, ...values) =>
    text.replace(/%(%|\d+)/g, (_, which: string) =>
      which === '%' ? '%' : String(values[Number(which) - 1])
    ),
  _n: (one, many, count, ...values) =>
    ENGLISH.__(count === 1 ? one : many, count, ...values)
};

let spoken: Language = ENGLISH;

/** Has everything said in another language from now on; a host tells it before it shows anything. */
export function speak(language: Language): void {
  spoken = language;
}

/** Named as in JupyterLab, whose tools find by it what is to be translated. */
export const trans: Language = {
  __: (text, ...values) => spoken.__(text, ...values),
  _n: (one, many, count, ...values) => spoken._n(one, many, count, ...values)
};

/** A text that is said when it is needed: a table of texts is made before one knows the language. */
export type Words = () => string;
