import { startCluster } from '@quayside/embedded-kubernetes/cluster'

// A Sandbox in a process of its own, so that its memory is nobody else's.
const [dataDir = ''] = process.argv.slice(2)
const cluster = await startCluster({ dataDir })
process.send?.({ kubeconfig: cluster.kubeconfig })
process.once('SIGTERM', () => void cluster.close().then(() => process.exit()))
