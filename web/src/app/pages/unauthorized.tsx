import { useRouter, useRouterState } from '@tanstack/react-router'
import { Refused } from '../../features/permissions/why/refused.tsx'
import { usePortal } from '../../lib/portal.tsx'
import { Button } from '../../ui/actions/button.tsx'

/** A role or scope check said no: which one comes with the way here. */
export function Unauthorized() {
  const { session } = usePortal()
  const router = useRouter()
  const refused = useRouterState({ select: ({ location }) => location.state.refused })
  const from = refused && import.meta.env.BASE_URL + refused.from.replace(/^\//, '')
  return (
    <Refused
      question={refused?.question}
      isShared={refused !== undefined && refused.question === undefined}
      address={from && window.location.origin + from}
      onRetry={from === undefined ? undefined : () => router.history.replace(from)}
      actions={<Button onClick={() => void session.signOut()}>Sign in as someone else</Button>}
    />
  )
}
