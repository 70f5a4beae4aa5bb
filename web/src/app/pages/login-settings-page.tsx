import { useMay } from '../../api/permissions/my-scopes.ts'
import { AdminEvents } from '../../features/events/admin-events.tsx'
import { SignInEvents } from '../../features/events/sign-in-events.tsx'
import { IdentityProviders } from '../../features/identity-providers/provider-list.tsx'
import { LoginSettingsPage } from '../../features/realms/login-settings-page.tsx'

/** How people sign in, with the events of it on tabs of their own. */
export function LoginSettingsWithEvents() {
  const may = useMay()
  const tabs = [
    { ...{ value: 'sso', title: 'Single sign-on', isOpen: true }, panel: <IdentityProviders /> },
    {
      ...{ value: 'sign-ins', title: 'Sign-ins', isOpen: may('events.see-sign-ins') === true },
      panel: <SignInEvents />,
    },
    { ...{ value: 'changes', title: 'Changes', isOpen: may('events.see-changes') === true }, panel: <AdminEvents /> },
  ]
  return <LoginSettingsPage tabs={tabs.filter(({ isOpen }) => isOpen)} />
}
