/**
 * Names a transaction that a network sends for the first time. A cell claims it before it pays, and keeps it where it then does not pay
 * (decision 0075). So until it has paid, only orders or cashouts of one cell are tried with it; afterwards all are.
 */
export function ownedBy(owners: Map<string, number>, cell: number, netname: string, transaction: string): string {
  const key = `${netname} ${transaction}`;
  const owner = owners.get(key) ?? cell;
  owners.set(key, owner);
  return owner === cell ? transaction : `${transaction}-${cell}`;
}
