const longest = 53

/** The one release name that an app has by its name: `{slug}-{identifier}`, short enough for Helm. */
export function releaseNameOf(appName: string, appIdentifier: string): string {
  const slug = appName
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest - appIdentifier.length - 1)
    .replace(/^-+|-+$/g, '')
  return slug ? `${slug}-${appIdentifier}` : appIdentifier
}

/** Key of a release: two actions with the same key must not run at the same time. */
export function releaseKeyOf(clusterId: string, namespace: string, releaseName: string): string {
  return `${clusterId}|${namespace}|${releaseName}`
}
