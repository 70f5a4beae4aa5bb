import type { MessageLevel } from '@quayside/contract/deployments/endpoints'
import type { Waiting } from '@quayside/contract/live/live'

type State = Pick<Waiting, 'ready' | 'total' | 'objects'>

interface ProgressLine {
  message: string
  level: MessageLevel
}

const mostNames = 3

/**
 * The line to log when the objects waited for have changed from `before` to `now`; null when a reader would notice no
 * difference. In a removal, `ready` counts the objects that are gone. A new count is worth a line, a new event of the
 * same object only a debug line.
 */
export function progressLine(before: State | null, now: State, isRemoval = false): ProgressLine | null {
  if (now.total === 0) return null
  const open = now.objects.filter((object) => !object.ready)
  if (open.length === 0)
    return before && before.ready === now.ready && before.total === now.total
      ? null
      : { message: `All ${now.total} objects are ${isRemoval ? 'removed' : 'ready'}`, level: 'info' }
  const isStep = !before || before.ready !== now.ready || before.total !== now.total || summary(before) !== summary(now)
  if (isStep) return { message: sentence(now, open, isRemoval), level: 'info' }
  return events(before) === events(now) ? null : { message: sentence(now, open, isRemoval), level: 'debug' }
}

function sentence(now: State, open: State['objects'], isRemoval: boolean): string {
  const named = open.slice(0, mostNames).map((object) => {
    const name = `${object.kind} ${object.name} ${object.detail}`.trim()
    return object.lastEvent ? `${name}: ${object.lastEvent}` : name
  })
  const rest = open.length > mostNames ? `, and ${open.length - mostNames} more` : ''
  const what = isRemoval
    ? `Waiting until ${open.length} of ${now.total} objects are removed`
    : `Waiting for ${open.length} of ${now.total}`
  return `${what}: ${named.join('; ')}${rest}`
}

function summary(state: State): string {
  return state.objects.map((object) => `${object.kind}/${object.name}=${object.ready}:${object.detail}`).join('|')
}

function events(state: State): string {
  return state.objects.map((object) => `${object.kind}/${object.name}=${object.lastEvent ?? ''}`).join('|')
}
