import { useEffect, useState } from 'react'
import type { Socket } from 'socket.io-client'
import { usePortal } from '../../../lib/portal.tsx'

/** A socket of the wizard's own, open as long as the wizard; undefined until its library has been fetched. */
export function useWizardSocket(): Socket | undefined {
  const { live } = usePortal()
  const [socket, setSocket] = useState<Socket>()
  useEffect(() => {
    let isClosed = false
    let mine: Socket | undefined
    live.open().then(
      (opened) => {
        if (isClosed) return void opened.disconnect()
        mine = opened
        setSocket(opened)
      },
      // The command is sent without its id, and the ledger's page shows how the action goes.
      (error: unknown) => console.warn('The live connection of the wizard could not be opened.', error),
    )
    return () => {
      isClosed = true
      mine?.disconnect()
    }
  }, [live])
  return socket
}
