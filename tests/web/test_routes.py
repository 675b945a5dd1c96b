"""The route table, written out: a new route must be added here, and to the tests of who may use it."""

ROUTES = {
    ("/", "GET", "drill.home"),
    ("/hand/<token:token>", "GET", "drill.hand"),
    ("/hand/<token:token>", "POST", "drill.answer"),
    ("/hand/<token:token>/hint", "POST", "drill.hint"),
    ("/hand/<token:token>/skip", "POST", "drill.skip"),
    ("/finish", "POST", "drill.finish"),
    ("/play/next", "POST", "playout.next_hand"),
    ("/play/answer", "POST", "playout.answer"),
    ("/play/options", "POST", "playout.options"),
    ("/tables", "GET", "tables.index"),
    ("/tables/<key>", "GET", "tables.table"),
    ("/tables/<key>/sit", "POST", "tables.sit"),
    ("/tables/<key>/open", "POST", "tables.begin"),
    ("/tables/<key>/bet", "POST", "tables.bet"),
    ("/tables/<key>/answer", "POST", "tables.answer"),
    ("/tables/<key>/options", "POST", "tables.options"),
    ("/tables/<key>/leave", "POST", "tables.leave"),
    ("/start", "POST", "runs.start"),
    ("/fill", "GET", "fill.empty"),
    ("/fill", "POST", "fill.mark"),
    ("/sessions/<int:sitting_id>", "GET", "drill.summary"),
    ("/progress", "GET", "progress.progress"),
    ("/mistakes", "GET", "mistakes.show"),
    ("/charts", "GET", "charts.index"),
    ("/charts/<rules_key>", "GET", "charts.chart"),
    ("/charts/<rules_key>/pick", "GET", "charts.pick"),
    ("/charts/<rules_key>/<row>/<upcard>", "GET", "charts.cell"),
    ("/charts/<rules_key>/chart.csv", "GET", "charts.chart_csv"),
    ("/charts/<rules_key>/evs.csv", "GET", "charts.evs_csv"),
    ("/hands", "GET", "hands.enter"),
    ("/hands/<cards>/<upcard>", "GET", "hands.hand"),
    ("/insurance", "GET", "insurance.show"),
    ("/rules", "GET", "rules.index"),
    ("/rules/<rules_key>", "GET", "rules.build"),
    ("/rules/<rules_key>/save", "POST", "rules.save"),
    ("/rules/<rules_key>/default", "POST", "rules.make_default"),
    ("/rules/saved/<int:saved_id>/rename", "POST", "rules.rename"),
    ("/rules/saved/<int:saved_id>/delete", "POST", "rules.delete"),
    ("/edge", "GET", "edge.show"),
    ("/edge/plays", "GET", "edge.plays"),
    ("/edge/changes", "GET", "edge.changes"),
    ("/edge/swings", "GET", "edge.swings"),
    ("/learn", "GET", "learn.index"),
    ("/learn/<slug>", "GET", "learn.lesson"),
    ("/settings", "GET", "settings.show"),
    ("/settings", "POST", "settings.save"),
    ("/account", "GET", "account.show"),
    ("/register", "GET", "account.register_page"),
    ("/register", "POST", "account.register"),
    ("/login", "GET", "account.log_in_page"),
    ("/login", "POST", "account.log_in"),
    ("/logout", "POST", "account.log_out"),
    ("/recover", "GET", "account.recover_page"),
    ("/recover", "POST", "account.recover"),
    ("/account/logout-everywhere", "POST", "account_change.log_out_everywhere"),
    ("/account/password", "GET", "account_change.password_page"),
    ("/account/password", "POST", "account_change.change_password"),
    ("/account/recovery-code", "GET", "account_change.ask_for_code"),
    ("/account/recovery-code", "POST", "account_change.renew_code"),
    ("/account/delete", "GET", "account_change.delete_page"),
    ("/account/delete", "POST", "account_change.delete"),
    ("/account/export.json", "GET", "own_data.export_json"),
    ("/account/export.csv", "GET", "own_data.export_csv"),
    ("/account/import", "GET", "imports.show"),
    ("/account/import", "POST", "imports.upload"),
    ("/account/import/step", "POST", "imports.step"),
    ("/account/import/stop", "POST", "imports.stop"),
    ("/account/history/delete", "GET", "own_data.ask_to_delete"),
    ("/account/history/delete", "POST", "own_data.delete_history"),
    ("/privacy", "GET", "about.privacy"),
    ("/healthz", "GET", "health.healthz"),
    ("/static/<path:filename>", "GET", "static"),
    ("/assets/htmx-<v>.js", "GET", "assets.htmx"),
}


def routes_of(app):
    return [(rule.rule, method, rule.endpoint) for rule in app.url_map.iter_rules()
            for method in sorted(rule.methods - {"HEAD", "OPTIONS"})]


def test_the_routes_are_those_written_here(app):
    assert sorted(routes_of(app)) == sorted(ROUTES)


def test_every_page_can_be_asked_for_by_head(app):
    for rule in app.url_map.iter_rules():
        assert ("HEAD" in rule.methods) == ("GET" in rule.methods), rule


def test_no_route_takes_anything_but_get_and_post(app):
    assert {method for rule in app.url_map.iter_rules() for method in rule.methods} == {
        "GET", "HEAD", "OPTIONS", "POST"}
