/** Settings whose value nobody else may know. */
const isSecret = (name: string) => /(KEY|TOKEN|PASSWORD|SECRET|DATABASE_URL|FAILPOINTS)$/.test(name)

type Given = Readonly<Record<string, string | undefined>>

/** The settings as others may see them: a secret only says that it is set, an address has neither its user nor its query. */
export function shownSettings(names: readonly string[], given: Given): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name]
      return value === undefined ? [] : [[name, isSecret(name) ? '(set)' : shownValue(value)]]
    }),
  )
}

function shownValue(value: string): string {
  const url = URL.parse(value)
  return url?.host ? `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}` : value
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that escapes nothing.
    return text
  }
}

/** Every secret among the settings, and the password of the database by itself. */
export function secretsIn(given: Given): string[] {
  const values = Object.entries(given).flatMap(([name, value]) =>
    value !== undefined && isSecret(name) ? [value] : [],
  )
  const passwords = Object.values(given).flatMap((value) => {
    const password = value === undefined ? undefined : URL.parse(value)?.password
    return password ? [password, decoded(password)] : []
  })
  return [...values, ...passwords]
}
