/** The display name of an actor: a service account is shown by the name of its client. */
export function actorName(name: string): string {
  return name.replace(/^service-account-/, '')
}

interface Person {
  name: string
  username: string | null
}

/** How the people of a list are called: by their display names, with the user name where two people share one. */
export function namesIn(people: readonly Person[]): (person: Person) => string {
  const usernames = new Map<string, Set<string>>()
  for (const { name, username } of people)
    if (username !== null) usernames.set(name, (usernames.get(name) ?? new Set()).add(username))
  return ({ name, username }) => {
    const isShared = (usernames.get(name)?.size ?? 0) > 1
    return isShared && username !== null ? `${actorName(name)} (${username})` : actorName(name)
  }
}
