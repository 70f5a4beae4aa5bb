import { CoreV1Api, KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node'

/**
 * Cordons every node, so that no new pod starts and a deployment lasts for as long as a story looks at it, however
 * busy the machine is. Gives what lets them go on.
 */
export async function holdNodes(kubeconfig: string): Promise<() => Promise<void>> {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const core = config.makeApiClient(CoreV1Api)
  const { items } = await core.listNode()
  const cordon = async (unschedulable: boolean) => {
    for (const { metadata } of items)
      await core.patchNode(
        { name: metadata?.name ?? '', body: { spec: { unschedulable } } },
        setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
      )
  }
  await cordon(true)
  return () => cordon(false)
}
