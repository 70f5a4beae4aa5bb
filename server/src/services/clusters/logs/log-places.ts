const most = { ofReplica: 400, ofCluster: 100, ofPerson: 100 }

/**
 * Connections to clusters that logs are followed on, so that few readers do not take them all: watches of a cluster
 * share them.
 */
export function createLogPlaces() {
  const taken = new Map<string, number>()
  const countsOf = (person: string, clusterId: string) =>
    [
      ['all', most.ofReplica],
      [`cluster ${clusterId}`, most.ofCluster],
      [`person ${person}`, most.ofPerson],
    ] as const
  const add = (key: string, count: number) => {
    const now = (taken.get(key) ?? 0) + count
    if (now > 0) taken.set(key, now)
    else taken.delete(key)
  }

  return {
    /** Takes one; undefined where there is none. The function that it returns gives it back, once. */
    take(person: string, clusterId: string): (() => void) | undefined {
      const counts = countsOf(person, clusterId)
      if (counts.some(([key, limit]) => (taken.get(key) ?? 0) >= limit)) return undefined
      for (const [key] of counts) add(key, 1)
      let isHeld = true
      return () => {
        if (isHeld) for (const [key] of counts) add(key, -1)
        isHeld = false
      }
    },
  }
}
