/** First release of each line without the password-reset hole of 26.0.0 to 26.7.1. */
const firstSafe: Readonly<Record<string, number>> = { '26.4': 15, '26.6': 6, '26.7': 2 }

/** Why this release of Keycloak must not be used; undefined when it may. */
export function versionProblem(version: string): string | undefined {
  const [major, minor, patch] = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version)?.slice(1).map(Number) ?? []
  if (major === undefined || minor === undefined) return `Keycloak says version "${version}", which cannot be read`
  const advice = 'Use 26.7.2 or newer (or 26.6.6, 26.4.15 in their lines)'
  if (major < 26) return `Keycloak ${version} is too old. ${advice}`
  if (major > 26 || minor > 7) return undefined
  const safe = firstSafe[`${major}.${minor}`]
  if (safe !== undefined && (patch ?? 0) >= safe) return undefined
  return `Keycloak ${version} has known security holes. ${advice}`
}
