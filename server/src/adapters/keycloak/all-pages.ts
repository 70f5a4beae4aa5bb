const pageSize = 1000

/** Everything that the identity server hands out in pages: somebody may have put what counts behind a full one. */
export async function allPages<T>(read: (page: { first: number; max: number }) => Promise<T[]>): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const found = await read({ first: all.length, max: pageSize })
    all.push(...found)
    if (found.length < pageSize) return all
  }
}
