/**
 * A sort as the address and the tables keep it ('name', '-name') as a list takes it. undefined for a field that is not
 * among those of the contract: an address can be old.
 */
export function orderOf(
  sort: string | undefined,
  among: readonly string[],
): Record<string, 'ASC' | 'DESC'> | undefined {
  const field = sort?.replace('-', '')
  if (sort === undefined || field === undefined || !among.includes(field)) return undefined
  return { [field]: sort.startsWith('-') ? 'DESC' : 'ASC' }
}
