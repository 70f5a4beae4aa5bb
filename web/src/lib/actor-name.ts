/** Who did something, as people call them: a script by the name of its client. */
export function actorName(name: string): string {
  return name.replace(/^service-account-/, '')
}
