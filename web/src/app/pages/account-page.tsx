import { AccountPage } from '../../features/account/account-page.tsx'
import { KubeconfigList } from '../../features/clusters/kubeconfigs/kubeconfig-list.tsx'
import { SubscriptionChoice } from '../../features/notifications/subscription-choice.tsx'
import { OwnTokens } from '../../features/personal-tokens/own-tokens.tsx'
import { Panel } from '../../ui/layout/panel.tsx'

/** The person's own page, with the kubeconfigs and the tokens that they hold. */
export function AccountWithCredentials() {
  return (
    <AccountPage
      tokens={<OwnTokens />}
      subscriptions={<SubscriptionChoice />}
      kubeconfigs={
        <Panel title="Your kubeconfigs" flush>
          <KubeconfigList reach={{ of: 'me' }} />
        </Panel>
      }
    />
  )
}
