import type { Annotation } from '../../protocol';
import type { Sign } from '../words/words';

/** Something that a name was, and in which traces, oldest first. */
export interface Form {
  readonly sign: Sign;
  /** The value of what is static, the type of what is not. */
  readonly text: string;
  readonly type: string;
  readonly value: string | null;
  /** What transforms it, short; empty if `jit` alone stages it. */
  readonly tag: string;
  /** Leaves of a container, and what transforms a value, in words. */
  readonly details: readonly string[];
  /** Leaves of a container, as far as they are told one by one. */
  readonly parts: Annotation['parts'];
  readonly traces: readonly string[];
  /** The same, with the trace in which a helper ran in place of the helper's run. */
  readonly within: readonly string[];
}

/** What is known of one name on one line, over all traces of a function. */
export interface NameMark {
  readonly name: string;
  /** The newest first. */
  readonly forms: readonly [Form, ...Form[]];
}

interface Gathered {
  readonly form: Form;
  readonly traces: Set<string>;
  readonly within: Set<string>;
}

/** Gathers what names were, each form once. In one step per trace, since a function may be traced thousands of times. */
export class Forms {
  private readonly names = new Map<string, Map<string, Gathered>>();

  /** Adds what a name was in a later trace. */
  add(name: string, form: Form): void {
    const forms = this.names.get(name) ?? new Map<string, Gathered>();
    this.names.set(name, forms);
    const { sign, type, value, details } = form;
    const key = JSON.stringify([sign.glyph, type, value, details]);
    const { traces, within } = forms.get(key) ?? {
      traces: new Set<string>(),
      within: new Set<string>()
    };
    form.traces.forEach(trace => traces.add(trace));
    form.within.forEach(trace => within.add(trace));
    forms.delete(key); // so that it becomes the last one
    forms.set(key, { form, traces, within });
  }

  marks(): NameMark[] {
    return [...this.names].flatMap(([name, forms]) => {
      const [first, ...more] = [...forms.values()].reverse().map(merged);
      return first ? [{ name, forms: [first, ...more] as const }] : [];
    });
  }
}

function merged({ form, traces, within }: Gathered): Form {
  return { ...form, traces: [...traces], within: [...within] };
}
