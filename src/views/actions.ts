import type { Found, Place, Request } from '../protocol';
import type { Drawing, Session, Signal } from '../store';

/** What the views ask of the host that mounted them. */
export interface Actions {
  /**
   * Asks the kernel for a trace's graph, drawn in a certain way, and puts it into the store unless the signal said that
   * nobody waits for it any more: then the kernel stops its work, where it can be told. The promise is rejected with words
   * for the user. Null where there is no kernel to ask.
   */
  readonly openGraph:
    | ((
        session: string,
        trace: string,
        drawing: Drawing,
        signal?: AbortSignal
      ) => Promise<void>)
    | null;
  /** Has a graph drawn that will probably be asked for, if the kernel has nothing else to do. Null like `openGraph`. */
  readonly foreseeGraph:
    ((session: string, trace: string, drawing: Drawing) => void) | null;
  /**
   * Asks the kernel for the graph and the listing of a trace that the recording has no picture of, and puts them into the
   * store. Fails and is null like `openGraph`.
   */
  readonly openPicture:
    | ((session: string, trace: string, signal?: AbortSignal) => Promise<void>)
    | null;
  /**
   * Asks the kernel what became of a trace's equations since the trace it was compared with, and puts the answer into the
   * store. Fails and is null like `openGraph`.
   */
  readonly compare:
    | ((session: string, trace: string, signal?: AbortSignal) => Promise<void>)
    | null;
  /** Searches a whole trace, with all that is hidden. Null where there is no kernel to ask. */
  readonly searchGraph:
    | ((
        session: string,
        trace: string,
        text: string,
        signal?: AbortSignal
      ) => Promise<Found>)
    | null;
  /** Records every later cell, or stops. Null where there is no kernel to ask. */
  readonly record: ((on: boolean) => void) | null;
  /** Goes to a line where the user wrote it. Null where the host has no editor. */
  readonly reveal: ((place: Place) => void) | null;
  /** The other recordings of the notebook. Null where there is but one. */
  readonly others: {
    /** In order of their beginning, with the one that is asked about. */
    readonly all: readonly Session[];
    /** One came or was let go. */
    readonly cameOrWent: Signal;
    /** By id; null for one that is not known, or not any more. */
    readonly find: (session: string) => Session | null;
    /** Shows a function's trace there, or its newest, in a view that is there for all. */
    readonly show: (session: Session, fn: string, trace: string | null) => void;
  } | null;
  /** Hands a text or an image to the user as a file. */
  readonly saveFile: (
    name: string,
    type: string,
    content: string | Blob
  ) => void;
}

/** The forms of files that the kernel makes. */
export type ExportFormat = Request['format'];

/** What the panel asks besides. */
export interface PanelActions extends Actions {
  /**
   * Loads our package in the kernel and records every later cell. Rejected with words for the user. Null where there is no
   * kernel that could.
   */
  readonly load: (() => Promise<void>) | null;
  /** Puts the magic into the selected cell, where there is one. */
  readonly insertMagic: (() => void) | null;
  /** Puts a cell with an example below the selected one. Null where there is no notebook. */
  readonly insertExample: (() => void) | null;
  /** Lets the user choose a kernel, or restarts the one that died. Null where the host has no way to. */
  readonly findKernel: (() => void) | null;
  /**
   * Has the kernel make a file of a session, and hands it to the user unless that was aborted. Rejected with words for the
   * user. Null where there is no kernel to ask.
   */
  readonly exportAs:
    | ((
        session: Session,
        format: ExportFormat,
        signal?: AbortSignal
      ) => Promise<void>)
    | null;
  /** Opens the settings. Null where the host has none. */
  readonly openSettings: (() => void) | null;
}

/** Where there is no kernel, no notebook and no editor. */
export const NO_ACTIONS: PanelActions = {
  openGraph: null,
  foreseeGraph: null,
  openPicture: null,
  compare: null,
  searchGraph: null,
  record: null,
  reveal: null,
  others: null,
  load: null,
  insertMagic: null,
  insertExample: null,
  findKernel: null,
  openSettings: null,
  exportAs: null,
  saveFile: downloadFile
};

/** Lets the browser download a file. */
export function downloadFile(
  name: string,
  type: string,
  content: string | Blob
): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  // eslint-disable-next-line no-restricted-syntax -- a blob of ours
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
