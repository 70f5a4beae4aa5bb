import type { App } from '@quayside/contract/apps/endpoints'
import { longest } from '@quayside/contract/http/limits'
import { useId, useState } from 'react'
import { useChangeApp } from '../../api/app.ts'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { inApp, useGuard } from '../../api/permissions/my-scopes.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import type { Right } from '../../ui/actions/explain.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { TagInput } from '../../ui/forms/tag-input.tsx'
import { TextArea, TextField } from '../../ui/forms/text-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import styles from './app-settings.module.css'

/** Name, texts, colour and tags of an app, and the way to delete it. */
export function AppSettings({ app }: { app: App }) {
  const { open } = useWizards()
  const guard = useGuard()
  // An app that was assigned but never deployed may be changed and deleted by everybody who may deploy it.
  const isDeployed = app.releaseName !== null
  const { displayName } = app
  const change = guard(isDeployed ? 'app.settings' : 'app.settings-assigned', `change ${displayName}`, inApp(app))
  return (
    <div className={styles.stack}>
      <Panel title="General">
        <GeneralForm app={app} right={change} />
      </Panel>
      <Panel title="Delete">
        <p className={styles.text}>Uninstalls the release and removes the app.</p>
        <GuardedButton
          look="danger"
          {...guard(isDeployed ? 'app.delete' : 'app.delete-assigned', `delete ${displayName}`, inApp(app))}
          onClick={() => void open({ kind: 'delete', appId: app.id })}
        >
          Delete app
        </GuardedButton>
      </Panel>
    </div>
  )
}

function GeneralForm({ app, right }: { app: App; right: Right }) {
  const readOnly = right.allowed !== true
  const save = useChangeApp(app.id)
  const color = useId()
  const [form, setForm] = useState({
    displayName: app.displayName,
    shortDescription: app.shortDescription,
    description: app.description,
    color: app.color,
    tags: app.tags,
  })
  const fieldError = (name: string) =>
    save.error instanceof ApiError && save.error.field === name ? save.error.message : undefined
  const nameError = form.displayName.trim() === '' ? 'Name required' : fieldError('displayName')
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({
          ...form,
          displayName: form.displayName.trim(),
          description: form.description.trim(),
          shortDescription: form.shortDescription.trim(),
        })
      }}
    >
      <fieldset disabled={readOnly} className={styles.fields}>
        <legend className="unseen">General</legend>
        <TextField
          label="Name"
          value={form.displayName}
          maxLength={longest.displayName}
          required
          error={nameError}
          onChange={(event) => setForm({ ...form, displayName: event.target.value })}
        />
        <TextField
          label="Short description"
          value={form.shortDescription}
          maxLength={longest.shortDescription}
          error={fieldError('shortDescription')}
          onChange={(event) => setForm({ ...form, shortDescription: event.target.value })}
        />
        <TextArea
          label="Description"
          value={form.description}
          maxLength={longest.appDescription}
          error={fieldError('description')}
          onChange={(event) => setForm({ ...form, description: event.target.value })}
        />
        <span className={styles.color}>
          <label htmlFor={color}>Colour</label>
          <input
            id={color}
            type="color"
            value={form.color}
            onChange={(event) => setForm({ ...form, color: event.target.value })}
          />
        </span>
        <TagInput label="Tags" value={form.tags} disabled={readOnly} onChange={(tags) => setForm({ ...form, tags })} />
      </fieldset>
      {save.error !== null && !(save.error instanceof ApiError && save.error.field !== undefined) && (
        <ErrorPanel error={save.error} name="Save" />
      )}
      <GuardedButton
        type="submit"
        look="primary"
        {...right}
        busy={save.isPending}
        disabled={form.displayName.trim() === ''}
      >
        Save
      </GuardedButton>
    </form>
  )
}
