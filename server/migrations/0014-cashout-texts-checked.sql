-- Reads all cashouts while others read and write them.
alter table cashouts validate constraint cashouts_texts_without_separators;
