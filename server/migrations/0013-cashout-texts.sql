-- A page of the list travels as one text, in which U+001E ends a row and U+001F a value. Every operation and every import refuses control
-- characters in these columns; from now on the table does too. Rows that are there are checked by the next migration, which blocks nobody.
alter table cashouts add constraint cashouts_texts_without_separators
  check ((operation_id || currency || description || document || cellphone) collate "C" !~ '[\x1e\x1f]') not valid;
