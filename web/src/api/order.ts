/** A sort as the address and the tables keep it ('name', '-name') as a list takes it. */
export function orderOf(sort: string | undefined): Record<string, 'ASC' | 'DESC'> | undefined {
  if (sort === undefined || sort === '' || sort === '-') return undefined
  return sort.startsWith('-') ? { [sort.slice(1)]: 'DESC' } : { [sort]: 'ASC' }
}
