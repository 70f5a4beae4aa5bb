/** A webhook that is sent to now, or has something to be sent to it. */
export interface Candidate {
  id: string
  tenantId: string
  /** Its last attempt did not work. */
  isFailing: boolean
  isBusy: boolean
}

interface Places {
  each: number
  all: number
}

/**
 * Places for attempts, all replicas together. Those that failed the last time have places of their own: however many
 * receivers are dead or slow, the others do not wait for them.
 */
const placesByGroup: Record<'working' | 'failing', Places> = {
  working: { each: 8, all: 64 },
  failing: { each: 2, all: 16 },
}

/** The webhooks to be sent to next, of candidates in the order in which it is their turn. */
export function choose(candidates: readonly Candidate[]): string[] {
  const taken = new Map<string, number>()
  const take = (place: string) => taken.set(place, (taken.get(place) ?? 0) + 1)
  const placesOf = ({ tenantId, isFailing }: Candidate) => {
    const group = isFailing ? 'failing' : 'working'
    return [
      [group, placesByGroup[group].all],
      [`${group} ${tenantId}`, placesByGroup[group].each],
    ] as const
  }
  for (const one of candidates) if (one.isBusy) for (const [place] of placesOf(one)) take(place)
  return candidates.flatMap((one) => {
    const places = placesOf(one)
    if (one.isBusy || places.some(([place, most]) => (taken.get(place) ?? 0) >= most)) return []
    for (const [place] of places) take(place)
    return [one.id]
  })
}
