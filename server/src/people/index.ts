export { peopleCommands } from './people.cli.ts';
export { personManagement, type OpenKinds } from './people.manage.ts';
export { erasureOf, FORGOTTEN, PSEUDONYM_START, type FoundRecord, type PersonalData, type RecordKey } from './personal-data.ts';
export { canonicalDocument, canonicalDocumentSql, documentWays, isSameDocument } from './canonical-document.ts';
export { waysToWrite } from './ways-to-write.ts';
