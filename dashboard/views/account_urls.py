"""The addresses of accounts: signing in, settings, agents, people."""

from django.urls import path

from dashboard.views import (
    account,
    account_steps,
    agents,
    exports,
    people,
    settings_page,
    settings_two_step,
    tokens,
)

urlpatterns = [
    path("sign-in/", account.sign_in, name="sign-in"),
    # These stand before the link, whose address is a secret of any letters.
    path("sign-in/second-step/", account_steps.second_step, name="second-step"),
    path("sign-in/passkey/", account_steps.passkey_sign_in, name="passkey-sign-in"),
    path("sign-in/passkey-options/", account_steps.passkey_options, name="passkey-options"),
    path("sign-in/forgot/", account.link_request, name="link-request"),
    path("sign-in/<str:token>/", account.sign_in_link, name="sign-in-link"),
    path("sign-out/", account.sign_out, name="sign-out"),
    path("settings/", settings_page.settings_page, name="settings"),
    path("settings/password/", settings_page.settings_password, name="settings-password"),
    path("settings/confirm/", settings_page.confirm, name="confirm"),
    path("settings/sessions/end/", settings_page.session_end, name="session-end"),
    path(
        "settings/sessions/end-others/",
        settings_page.session_end_others,
        name="session-end-others",
    ),
    path("settings/export/", exports.everything_export, name="everything-export"),
    path("settings/app/", settings_two_step.two_step_app, name="two-step-app"),
    path("settings/app/remove/", settings_two_step.two_step_app_remove, name="two-step-app-remove"),
    path("settings/codes/", settings_two_step.recovery_codes, name="recovery-codes"),
    path("settings/codes/file/", settings_two_step.recovery_codes_file, name="recovery-codes-file"),
    path(
        "settings/codes/renew/", settings_two_step.recovery_codes_renew, name="recovery-codes-renew"
    ),
    path("settings/passkeys/new/", settings_two_step.passkey_create, name="passkey-create"),
    path(
        "settings/passkeys/options/",
        settings_two_step.passkey_new_options,
        name="passkey-new-options",
    ),
    path("settings/passkeys/remove/", settings_two_step.passkey_remove, name="passkey-remove"),
    path("settings/tokens/", tokens.token_list, name="token-list"),
    path("settings/tokens/new/", tokens.token_create, name="token-create"),
    path("settings/tokens/<uuid:pk>/revoke/", tokens.token_revoke, name="token-revoke"),
    path("agents/", agents.agent_list, name="agent-list"),
    path("agents/new/", agents.agent_create, name="agent-create"),
    path("agents/<uuid:pk>/rename/", agents.agent_rename, name="agent-rename"),
    path("agents/<uuid:pk>/remove/", agents.agent_remove, name="agent-remove"),
    path("people/", people.people_list, name="people-list"),
    path("people/invite/", people.person_invite, name="person-invite"),
    path("people/<uuid:pk>/link/", people.person_link, name="person-link"),
    path("people/<uuid:pk>/close/", people.person_close, name="person-close"),
    path("people/<uuid:pk>/open/", people.person_open, name="person-open"),
    path("people/<uuid:pk>/role/", people.person_role, name="person-role"),
]
