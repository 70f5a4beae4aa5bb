import { AccountPage } from '../../features/account/account-page.tsx'
import { KubeconfigList } from '../../features/clusters/kubeconfigs/kubeconfig-list.tsx'
import { Panel } from '../../ui/layout/panel.tsx'

/** The person's own page, with the kubeconfigs that they hold. */
export function AccountWithKubeconfigs() {
  return (
    <AccountPage
      kubeconfigs={
        <Panel title="Your kubeconfigs" flush>
          <KubeconfigList reach={{ of: 'me' }} />
        </Panel>
      }
    />
  )
}
