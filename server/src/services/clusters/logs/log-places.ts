const mostOfReplica = 400
const mostOfPerson = 100

/** Connections to clusters that logs are followed on, so that few readers do not take them all. */
export function createLogPlaces() {
  const taken = new Map<string, number>()
  let inAll = 0

  return {
    /** Takes up to so many; how many there were. */
    take(person: string, wanted: number): number {
      const held = taken.get(person) ?? 0
      const given = Math.max(0, Math.min(wanted, mostOfPerson - held, mostOfReplica - inAll))
      taken.set(person, held + given)
      inAll += given
      return given
    },
    giveBack(person: string, count: number): void {
      const left = (taken.get(person) ?? 0) - count
      if (left > 0) taken.set(person, left)
      else taken.delete(person)
      inAll -= count
    },
  }
}
