const decode = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** Matches `/users/:id` and `/by-path/*rest` against a path; gives the named parts, or undefined. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/').filter(Boolean)
  const given = path.split('/').filter(Boolean)
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    if (part.startsWith('*')) {
      const rest = decode(given.slice(index).join('/'))
      return rest === undefined ? undefined : { ...params, [part.slice(1)]: rest }
    }
    const value = given[index]
    if (value === undefined) return undefined
    if (!part.startsWith(':')) {
      if (part !== value) return undefined
      continue
    }
    const decoded = decode(value)
    if (decoded === undefined) return undefined
    params[part.slice(1)] = decoded
  }
  return wanted.length === given.length ? params : undefined
}
