import { createSemaphore, type Semaphore } from './semaphore.ts'

/** Does work of one name piece by piece, in the order in which it came. */
type Lines = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** A line in which as many work or wait as may. */
export class LineIsFull extends Error {
  override name = 'LineIsFull'
}

export function createLines({ most = Number.POSITIVE_INFINITY } = {}): Lines {
  const lines = new Map<string, { slots: Semaphore; users: number }>()
  return async (name, work) => {
    const line = lines.get(name) ?? { slots: createSemaphore(1), users: 0 }
    if (line.users >= most) throw new LineIsFull(`${most} work or wait in the line ${name}`)
    lines.set(name, line)
    line.users += 1
    try {
      return await line.slots.run(work)
    } finally {
      line.users -= 1
      if (line.users === 0) lines.delete(name)
    }
  }
}
