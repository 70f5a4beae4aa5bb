import { isGone } from './gone.ts'

/** Steps back, taken in reverse order when a later step forward fails. */
export interface Undo {
  add(step: () => Promise<unknown>): void
  /** Takes every step back; gives what could not be undone. */
  all(): Promise<Error[]>
}

export function createUndo(): Undo {
  const steps: (() => Promise<unknown>)[] = []
  return {
    add: (step) => steps.push(step),
    async all() {
      const problems: Error[] = []
      for (const step of steps.splice(0).reverse()) {
        try {
          await step()
        } catch (error) {
          if (isGone(error)) continue
          problems.push(error instanceof Error ? error : new Error(String(error)))
        }
      }
      return problems
    },
  }
}
