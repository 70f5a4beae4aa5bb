/** How much somebody has under way, and when they were let in last. */
export interface Load {
  running: number
  waiting: number
  servedAt: number
}

/** Somebody who asks for a place. */
export interface Caller {
  tenant: string
  person: string
  /** A refusal in the middle of it leaves nothing half done. */
  onlyReads: boolean
  /** It had a place before: what has begun is finished first, and refused last. */
  hasBegun: boolean
}

export interface Limits {
  places: number
  placesOfTenant: number
  placesOfPerson: number
  /** Reads that may wait; writes are refused only beyond `writeFactor` times as many. */
  waiting: number
  waitingOfTenant: number
  waitingOfPerson: number
  writeFactor: number
}

interface Loads {
  all: Pick<Load, 'running' | 'waiting'>
  tenant: Load
  person: Load
}

/** Neither a person nor a tenant gets all places, so that whoever comes next finds one at once. */
function mayRun(loads: Loads, limits: Limits): boolean {
  return loads.all.running < limits.places && hasPlaceLeft(loads, limits)
}

function hasPlaceLeft({ tenant, person }: Omit<Loads, 'all'>, limits: Limits): boolean {
  return tenant.running < limits.placesOfTenant && person.running < limits.placesOfPerson
}

/** Decides what becomes of a call: it runs, it waits, or it is refused because its person, or everybody, has too many. */
export function verdictOn(
  caller: Pick<Caller, 'onlyReads' | 'hasBegun'>,
  loads: Loads,
  limits: Limits,
): 'run' | 'wait' | 'too many of the person' | 'too many' {
  if (mayRun(loads, limits)) return 'run'
  if (caller.hasBegun) return 'wait'
  const factor = caller.onlyReads ? 1 : limits.writeFactor
  if (loads.person.waiting >= limits.waitingOfPerson * factor) return 'too many of the person'
  if (loads.tenant.waiting >= limits.waitingOfTenant * factor) return 'too many'
  return loads.all.waiting >= limits.waiting * factor ? 'too many' : 'wait'
}

interface Candidate extends Omit<Loads, 'all'> {
  caller: Pick<Caller, 'hasBegun'>
}

/**
 * Finds whose turn it is among those who wait, in the order in which they came: of the tenant that has the fewest calls
 * under way, and in it of the person who has the fewest; among equals of who was let in the longest time ago.
 */
export function nextOf<C extends Candidate>(waiting: Iterable<C>, all: Loads['all'], limits: Limits): C | undefined {
  let first: C | undefined
  if (all.running >= limits.places) return undefined
  for (const candidate of waiting)
    if (hasPlaceLeft(candidate, limits) && (!first || comesBefore(candidate, first))) first = candidate
  return first
}

function comesBefore(one: Candidate, other: Candidate): boolean {
  const difference =
    one.tenant.running - other.tenant.running ||
    one.tenant.servedAt - other.tenant.servedAt ||
    one.person.running - other.person.running ||
    one.person.servedAt - other.person.servedAt ||
    Number(other.caller.hasBegun) - Number(one.caller.hasBegun)
  return difference < 0
}
