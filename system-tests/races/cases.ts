export const racers = ['Deploy', 'Upgrade', 'Rollback', 'Delete'] as const
export type Racer = (typeof racers)[number]

/** Two users command one release, the second so many milliseconds after the first. */
export interface Race {
  first: Racer
  second: Racer
  afterMs: number
}

const timings = 25
const stepMs = 20

export const allRaces: Race[] = racers.flatMap((first) =>
  racers.flatMap((second) => Array.from({ length: timings }, (_, nth) => ({ first, second, afterMs: nth * stepMs }))),
)

/** Two timings of each pair, an early and a late one, other ones from pair to pair. */
export function spreadOfRaces(): Race[] {
  return allRaces.filter((_, index) => {
    const pair = Math.floor(index / timings)
    return [pair % 12, 24 - ((pair * 5) % 12)].includes(index % timings)
  })
}
