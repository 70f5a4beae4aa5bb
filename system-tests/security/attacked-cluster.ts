/** The kubeconfig file of an administrator of a real API server; undefined on the Sandbox. */
export const realCluster = process.env.ATTACK === 'real' ? (process.env.KUBECONFIG ?? '') : undefined

/**
 * The cluster that charts attack: the Sandbox, or a real API server with
 * `PRETEND_PODS=true ATTACK=real npm run kube-apiserver -- npx vitest run --project http system-tests/security/<file>`, a fresh one for each file.
 */
export const attackedCluster = realCluster === undefined ? { speed: 10 } : { kubeconfig: realCluster }
