/** Where `deployments.apps/v1` and the like are served: `v1/pods` is core, `apps/v1/deployments` of a group. */
export function resourcePath(resource: string, namespace?: string): string {
  const [path = '', query] = resource.split(/(?=\?)/)
  const parts = path.split('/')
  const versionAt = parts.findIndex((part) => /^v\d+((alpha|beta)\d+)?$/.test(part))
  if (versionAt < 0 || versionAt > 1) throw new Error(`${resource} names no version`)
  const root = versionAt === 0 ? '/api' : `/apis/${parts[0]}`
  const scope = namespace ? `/namespaces/${namespace}` : ''
  return `${root}/${parts[versionAt]}${scope}/${parts.slice(versionAt + 1).join('/')}${query ?? ''}`
}
