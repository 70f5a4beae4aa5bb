/**
 * The cluster that charts attack: the Sandbox, or a real API server with
 * `PRETEND_PODS=true ATTACK=real npm run kube-apiserver -- npx vitest run --project http system-tests/security/gain-the-cluster/<file>`, a fresh one for each file.
 */
export const attackedCluster =
  process.env.ATTACK === 'real' ? { kubeconfig: process.env.KUBECONFIG ?? '' } : { speed: 10 }
