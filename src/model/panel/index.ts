export * from './baked-in';
export * from './comparison';
export * from './functions';
export * from './place';
export * from './retraces';
export * from './stack';
export * from './strip';
