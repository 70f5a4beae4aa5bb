import type { App } from '@quayside/contract/portal-api'
import { useId, useState } from 'react'
import { useChangeApp } from '../../api/app.ts'
import { useWizards } from '../../api/wizards.tsx'
import { ApiError } from '../../lib/api/api-error.ts'
import { useAccess } from '../../lib/use-access.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TagInput } from '../../ui/tag-input.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import styles from './app-settings.module.css'

/** Name, texts, colour and tags of an app, and the way to delete it. */
export function AppSettings({ app }: { app: App }) {
  const { open } = useWizards()
  const mayManage = useAccess('catalog-apps', 'catalog.deployments.manage')
  return (
    <div className={styles.stack}>
      <Panel title="General">
        <GeneralForm app={app} readOnly={!mayManage} />
      </Panel>
      {mayManage && (
        <Panel title="Delete">
          <p className={styles.text}>Takes the release off the cluster and the app out of its space.</p>
          <Button look="danger" onClick={() => void open({ kind: 'delete', appId: app.id })}>
            Delete app
          </Button>
        </Panel>
      )}
    </div>
  )
}

function GeneralForm({ app, readOnly }: { app: App; readOnly: boolean }) {
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
          maxLength={80}
          required
          error={nameError}
          onChange={(event) => setForm({ ...form, displayName: event.target.value })}
        />
        <TextField
          label="Short description"
          value={form.shortDescription}
          maxLength={200}
          error={fieldError('shortDescription')}
          onChange={(event) => setForm({ ...form, shortDescription: event.target.value })}
        />
        <TextArea
          label="Description"
          value={form.description}
          maxLength={4000}
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
      {!readOnly && (
        <Button type="submit" look="primary" busy={save.isPending} disabled={form.displayName.trim() === ''}>
          Save
        </Button>
      )}
    </form>
  )
}
