/** CPU as cores with at most one digit after the point, or as 'm' below one core. */
export function formatCpu(millis: number): string {
  if (millis < 1000) return `${millis}m`
  return millis === 1000 ? '1 core' : `${trim(millis / 1000)} cores`
}

const units = ['B', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi']

/** Bytes in Kubernetes' binary units: '1.5Gi'. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${trim(bytes / 1024 ** step)}${units[step]}`
}

function trim(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0).replace(/\.0$/, '')
}
