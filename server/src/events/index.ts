export { eventManagement, streamEvents } from './events.manage.ts';
export type { FigureRow, FigureSource, ReportedEvent } from './figure-source.ts';
export { joinEvents } from './join-events.ts';
export { openEvents, type Events } from './open-events.ts';
export { pruneChanges } from './prune-changes.job.ts';
export { readPlace } from './read-changes.ts';
export { atSnapshot, readCompleteTo, readForeign, readUnseen, startReader, takeChanges, waitForReader, type Taken } from './readers.ts';
export { openStreams, type Streams } from './streams.ts';
