export type { Connection, ConnectionStatus } from './connection';
export { snapshot } from './recording';
export type { Recording } from './recording';
export { Selection, lightsPlace, samePlace } from './selection';
export type { Target } from './selection';
export type { Unsubscribe } from './signal';
export { SessionStore } from './store';
export type { OpenedGraph, Picture, Session } from './store';
export { Toggle } from './toggle';
