import { useRouter, useRouterState } from '@tanstack/react-router'
import { Refused } from '../../features/permissions/refused.tsx'
import { usePortal } from '../../lib/portal.tsx'
import { Button } from '../../ui/button.tsx'

/** A role or scope check said no: which one comes with the way here. */
export function Unauthorized() {
  const { session } = usePortal()
  const router = useRouter()
  const refused = useRouterState({ select: ({ location }) => location.state.refused })
  return (
    <Refused
      question={refused?.question}
      address={refused && window.location.origin + router.history.createHref(refused.from)}
      onRetry={refused && (() => router.history.replace(router.history.createHref(refused.from)))}
      actions={<Button onClick={() => void session.signOut()}>Sign in as someone else</Button>}
    />
  )
}
