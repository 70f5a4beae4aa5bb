/** Where each service lives below the portal's address. */
export const basePaths = {
  'portal-api': '/portal-api',
  catalog: '/catalog',
  cluster: '/cluster',
  deployment: '/deployment',
  dashboard: '/dashboard',
  'metrics-dashboard': '/metrics-dashboard',
  iam: '/iam',
  im: '/im',
  log: '/log',
} as const

export type ServiceName = keyof typeof basePaths

/** The full path of a call with its parameters filled in, each encoded. */
export function pathOf(
  endpoint: { service: ServiceName; path: string },
  params: Readonly<Record<string, string | number>> = {},
): string {
  const path = endpoint.path.replace(/:([a-zA-Z]+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
  return basePaths[endpoint.service] + path
}
