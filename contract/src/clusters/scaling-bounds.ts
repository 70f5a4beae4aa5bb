/** Limits of scaling and resizing, which the browser checks as the server does. */
export const mostReplicas = 1000
export const mostNodes = 1000

/** An amount of CPU as Kubernetes writes it: `250m`, `2`, `0.5`. */
export const cpuAmount = /^(?:\d{1,7}m|\d{1,4}(?:\.\d{1,3})?)$/
/** An amount of memory as Kubernetes writes it: `128Mi`, `1.5Gi`, `512M`. */
export const memoryAmount = /^\d{1,9}(?:\.\d{1,3})?(?:[KMGT]i|[kMGT])?$/
