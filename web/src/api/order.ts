/** A sort as the address and the tables keep it ('name', '-name') as a list takes it; undefined for a column that is not `among` those of the list. */
export function orderOf(
  sort: string | undefined,
  among?: readonly string[],
): Record<string, 'ASC' | 'DESC'> | undefined {
  if (sort === undefined || sort === '' || sort === '-') return undefined
  if (among !== undefined && !among.includes(sort.replace('-', ''))) return undefined
  return sort.startsWith('-') ? { [sort.slice(1)]: 'DESC' } : { [sort]: 'ASC' }
}
