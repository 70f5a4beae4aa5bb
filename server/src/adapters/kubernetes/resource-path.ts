const segment = /^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/

/** The path of a resource given as `group/version/plural`, or `version/plural` of the core group. */
export function pathOfResource(resource: string, namespace?: string, name?: string, subresource?: string): string {
  const parts = resource.split('/')
  if (parts.length < 2 || parts.length > 3 || !parts.every((part) => segment.test(part)))
    throw new TypeError(`not a resource: ${resource}`)
  const base = parts.length === 2 ? `/api/${parts[0]}` : `/apis/${parts[0]}/${parts[1]}`
  const scope = namespace === undefined ? '' : `/namespaces/${encode(namespace)}`
  const object = name === undefined ? '' : `/${encode(name)}`
  return `${base}${scope}/${parts.at(-1)}${object}${subresource ? `/${subresource}` : ''}`
}

function encode(text: string): string {
  // `.` and `..` survive encodeURIComponent and would climb out of the path.
  if (text === '' || text === '.' || text === '..') throw new TypeError('not a name in a cluster')
  return encodeURIComponent(text)
}
