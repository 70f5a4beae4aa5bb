/** The display name of an actor: a service account is shown by the name of its client. */
export function actorName(name: string): string {
  return name.replace(/^service-account-/, '')
}
