import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import {
  StackNode,
  counted,
  focusOf,
  formatCount,
  formatSeconds,
  lineNames,
  stackOf,
  trans
} from '../../model';
import type { Recording, Session } from '../../store';
import type { Actions } from '../actions';
import { useRoving } from '../roving';

interface Props {
  readonly session: Session;
  readonly actions: Actions;
}

interface Item {
  readonly node: StackNode;
  readonly depth: number;
  readonly open: boolean;
}

/** So deep the tree is open at first: lines, and the functions called there. */
const OPEN = 2;

/** Where traces come from: lines of the user's, the functions traced there, and what those traced inside. */
export function Stack({ session, actions }: Props): JSX.Element {
  const { recording } = session;
  const roots = useMemo(() => stackOf(recording), [recording]);
  const [turned, turn] = useTurned();
  const items = itemsOf(roots, turned, 0);
  const roving = useRoving(items.length, 'ArrowUp', 'ArrowDown');
  const show = (item: Item): void => {
    showNode(item.node, session, actions);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    roving.onKeyDown(event);
    const item = items[roving.active];
    if (!item || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const canTurn = item.node.children.length > 0;
    const wants = { ArrowRight: !item.open, ArrowLeft: item.open }[event.key];
    if (canTurn && wants) {
      event.preventDefault();
      turn(item);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      show(item);
    }
  };
  if (items.length === 0) {
    return <p class="jtv-note">{trans.__('Nothing was traced.')}</p>;
  }
  return (
    <ul
      class="jtv-stack"
      role="tree"
      aria-label={trans.__('Where traces come from')}
      data-lm-suppress-shortcuts="true"
      onKeyDown={onKeyDown}
    >
      {items.map((item, i) => (
        <Node
          key={item.node.key}
          item={item}
          session={session}
          stop={i === roving.active}
          nodeRef={roving.itemRef(i)}
          turn={() => {
            roving.setActive(i);
            turn(item);
          }}
          show={() => {
            roving.setActive(i);
            show(item);
          }}
        />
      ))}
    </ul>
  );
}

/** Which nodes are not as they were at first. */
function useTurned(): [ReadonlySet<string>, (item: Item) => void] {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const turn = ({ node }: Item): void => {
    const next = new Set(turned);
    if (!next.delete(node.key)) {
      next.add(node.key);
    }
    setTurned(next);
  };
  return [turned, turn];
}

function itemsOf(
  nodes: readonly StackNode[],
  turned: ReadonlySet<string>,
  depth: number
): Item[] {
  return nodes.flatMap(node => {
    const open = depth < OPEN !== turned.has(node.key);
    const inside = open ? itemsOf(node.children, turned, depth + 1) : [];
    return [{ node, depth, open }, ...inside];
  });
}

/** Shows a function's newest trace there, or goes to the line. */
function showNode(node: StackNode, session: Session, actions: Actions): void {
  const { selection, recording } = session;
  const { place, trace } = node;
  const fn = recording.traces.get(trace)?.function;
  if (fn) {
    selection.show(fn, trace);
  }
  if (place) {
    selection.pin({ trace: null, box: null, places: [place] });
    actions.reveal?.(place);
  }
}

/** What is still traced has no cost yet. */
function costOf({ seconds }: StackNode, { newest }: Recording): string {
  const isGoingOn = seconds === 0 && newest.state === 'running';
  return isGoingOn ? '…' : formatSeconds(seconds);
}

function Node(props: {
  item: Item;
  session: Session;
  stop: boolean;
  nodeRef: (node: Element | null) => void;
  turn: () => void;
  show: () => void;
}): JSX.Element {
  const { item, session, stop, nodeRef, turn, show } = props;
  const { node, depth, open } = item;
  const { recording } = session;
  const { trace } = focusOf(session);
  const hasChildren = node.children.length > 0;
  const cost = costOf(node, recording);
  const name = node.place
    ? lineNames(recording).long(node.place)
    : (recording.functions.get(node.fn)?.name ?? node.fn);
  return (
    <li
      ref={nodeRef}
      role="treeitem"
      class="jtv-stack-node"
      data-line={node.place !== null}
      style={{ '--jtv-depth': depth }}
      aria-level={depth + 1}
      aria-expanded={hasChildren ? open : undefined}
      aria-selected={!node.place && trace?.id === node.trace}
      aria-label={`${name}, ${counted(node.traces, 'trace')}, ${cost}`}
      tabIndex={stop ? 0 : -1}
      onClick={show}
    >
      <span
        class="jtv-stack-turn"
        aria-hidden="true"
        onClick={event => {
          event.stopPropagation();
          turn();
        }}
      >
        {hasChildren ? (open ? '▾' : '▸') : ''}
      </span>
      <span class="jtv-stack-name" title={name}>
        {node.place ? name : <code>{name}</code>}
      </span>
      <span class="jtv-stack-count">{`×${formatCount(node.traces)}`}</span>
      <span class="jtv-cost">{cost}</span>
    </li>
  );
}
