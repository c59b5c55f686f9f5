import { Component, ComponentType, createElement, JSX } from 'preact';

/** Draws a component anew only when one of its properties changed, so that a frame costs what changed in it. */
export function memo<P extends object>(
  render: (props: P) => JSX.Element
): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before = this.props as Record<string, unknown>;
      return Object.entries(next).some(([key, value]) => before[key] !== value);
    }

    override render(): JSX.Element {
      return createElement(render, this.props as P & JSX.IntrinsicAttributes);
    }
  };
}
