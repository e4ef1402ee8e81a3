/** The name in all tests. No program has it: as root the tests make `/var/lib/<name>`. */
export const NAME = 'embedded_postgres_test';
