import { createSemaphore, type Semaphore } from './semaphore.ts'

/** Does work of one name piece by piece, in the order in which it came. */
type Lines = <T>(name: string, work: () => Promise<T>) => Promise<T>

export function createLines(): Lines {
  const lines = new Map<string, { slots: Semaphore; users: number }>()
  return async (name, work) => {
    const line = lines.get(name) ?? { slots: createSemaphore(1), users: 0 }
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
