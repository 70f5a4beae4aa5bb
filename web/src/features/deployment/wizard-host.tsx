import { useWizards } from '../../lib/wizards.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

/** Draws the wizard that a page asked for with useWizards().open(…); the shell mounts it only while there is one. */
export function WizardHost() {
  const { request, close } = useWizards()
  if (request === undefined) return null
  return (
    <FormDialog title={request.kind} submitLabel="Close" busy={false} onClose={() => close()} onSubmit={() => close()}>
      <p>No wizard for this action is installed.</p>
    </FormDialog>
  )
}
