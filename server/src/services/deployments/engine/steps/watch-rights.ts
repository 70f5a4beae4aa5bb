import type { ActionContext } from '../action-context.ts'

const everyMs = 1000

interface RightsWatch {
  /** Looks once more, for a Helm that was refused before anybody asked; why the rights were taken back, if they were. */
  end(): Promise<string | undefined>
  stop(): void
}

/**
 * Asks while Helm runs whether the rights that the action has outside of its space were taken back: a Helm that waits
 * for pods would notice nothing, and half a release is not gone on with.
 */
export function watchRights({ deps, action }: Pick<ActionContext, 'deps' | 'action'>, onGone: () => void): RightsWatch {
  let why: string | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  async function look(): Promise<void> {
    try {
      why ??= await deps.clusters.withdrawn(action.tenant_id, action.id)
    } catch (error) {
      // With a database that stays away the lease is lost, and Helm is stopped for that.
      deps.log.warn({ err: error, actionId: action.id }, 'nobody could say whether an action still has its rights')
    }
  }

  async function beat(): Promise<void> {
    await look()
    if (isOver) return
    if (why === undefined) timer = setTimeout(() => void beat(), everyMs)
    else onGone()
  }
  timer = setTimeout(() => void beat(), everyMs)

  function stop() {
    isOver = true
    clearTimeout(timer)
  }

  return {
    async end() {
      stop()
      await look()
      return why
    },
    stop,
  }
}
