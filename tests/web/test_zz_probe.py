import time
def test_a(app, client):
    t=time.time(); r=client.get("/?mode=mixed&seed=x"); print("first", time.time()-t)
    t=time.time(); r=client.get("/?mode=mixed&seed=x"); print("second", time.time()-t)
    open("/tmp/q.html","w").write(r.text)
    import re
    tok=re.search(r"/hand/([\w-]{22})\"", r.text)[1]
    t=time.time(); r=client.post(f"/hand/{tok}", data={"action":"hit"}); print("post", time.time()-t, r.status, r.headers)
    r=client.get(f"/hand/{tok}")
    open("/tmp/v.html","w").write(r.text)
def test_b(app, client):
    pass
def test_c(app, client):
    client.get("/healthz")
