-- GET /blogs: 1
select t0."id" as c0, t0."title" as c1, (select count(*) as total from "blog" t0) as total from "blog" t0 order by t0."id" asc limit 11 offset ?;

-- GET /blogs/1: 1
select t0."id" as c0, t0."title" as c1 from "blog" t0 where t0."id" = ?;

-- GET /articles?page[number]=1&page[size]=1: 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "article" t0) as total from "article" t0 order by t0."id" asc limit 2 offset ?;

-- GET /articles?fields[articles]=title,blog: 1
select t0."id" as c0, t0."title" as c1, (select count(*) as total from "article" t0) as total from "article" t0 order by t0."id" asc limit 11 offset ?;

-- GET /articles?filter=and(equals(title,'A1'),or(equals(likes,null),not(greaterThan(views,'3')))): 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "article" t0 where ((t0."title" = ? collate binary) and ((t0."likes" is null) or not (((t0."views" > ?)) is true)))) as total from "article" t0 where ((t0."title" = ? collate binary) and ((t0."likes" is null) or not (((t0."views" > ?)) is true))) order by t0."id" asc limit 11 offset ?;

-- GET /articles?filter=or(contains(title,'A'),startsWith(subtitle,'S'),any(status,'draft','final')): 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "article" t0 where ((instr(t0."title", ?) > 0) or (substr(t0."subtitle", 1, length(?)) = ?) or (t0."status" collate binary in (?, ?)))) as total from "article" t0 where ((instr(t0."title", ?) > 0) or (substr(t0."subtitle", 1, length(?)) = ?) or (t0."status" collate binary in (?, ?))) order by t0."id" asc limit 11 offset ?;

-- GET /articles?filter=equals(blog.title,'B1'): 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "article" t0 left join "blog" t1 on t1."id" = t0."blogId" where (t1."title" = ? collate binary)) as total from "article" t0 left join "blog" t1 on t1."id" = t0."blogId" where (t1."title" = ? collate binary) order by t0."id" asc limit 11 offset ?;

-- GET /articles?filter=has(comments,equals(body,null))&sort=-publishedAt: 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "article" t0 where +exists (select 1 from "comment" t1 where t1."articleId" = t0."id" and (t1."body" is null))) as total from "article" t0 where +exists (select 1 from "comment" t1 where t1."articleId" = t0."id" and (t1."body" is null)) order by t0."publishedAt" desc, t0."id" asc limit 11 offset ?;

-- GET /articles?filter=greaterThan(count(tags),'1'): 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "article" t0 where ((select count(*) from "tag" t1 join "article_tags_tag" t2 on t2."tagId" = t1."id" where t2."articleId" = t0."id") > ?)) as total from "article" t0 where ((select count(*) from "tag" t1 join "article_tags_tag" t2 on t2."tagId" = t1."id" where t2."articleId" = t0."id") > ?) order by t0."id" asc limit 11 offset ?;

-- GET /blogs?filter=has(articles,has(tags,equals(id,'a')))&sort=-count(articles): 1
select t0."id" as c0, t0."title" as c1, (select count(*) as total from "blog" t0 where +exists (select 1 from "article" t1 where t1."blogId" = t0."id" and +exists (select 1 from "tag" t2 join "article_tags_tag" t3 on t3."tagId" = t2."id" where t3."articleId" = t1."id" and (t2."id" = ? collate binary)))) as total from "blog" t0 where +exists (select 1 from "article" t1 where t1."blogId" = t0."id" and +exists (select 1 from "tag" t2 join "article_tags_tag" t3 on t3."tagId" = t2."id" where t3."articleId" = t1."id" and (t2."id" = ? collate binary))) order by (select count(*) from "article" t4 where t4."blogId" = t0."id") desc, t0."id" asc limit 11 offset ?;

-- GET /articles?sort=-blog.title,title: 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "article" t0) as total from "article" t0 left join "blog" t1 on t1."id" = t0."blogId" order by t1."title" desc, t0."title" asc, t0."id" asc limit 11 offset ?;

-- GET /articles?include=blog: 2
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15, (select count(*) as total from "article" t0) as total from "article" t0 order by t0."id" asc limit 11 offset ?;
select t0."id" as c0, t0."title" as c1, t0."id" as parent from "blog" t0 where (t0."id" in (select value from json_each(?)));

-- GET /blogs?include=articles: 2
select t0."id" as c0, t0."title" as c1, (select count(*) as total from "blog" t0) as total from "blog" t0 order by t0."id" asc limit 11 offset ?;
select * from (select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as parent, row_number() over (partition by t0."blogId" order by t0."id" asc) as position from "article" t0 where (t0."blogId" in (select value from json_each(?)))) ranked where position > ? and position <= ? order by position;

-- GET /articles?include=tags: 2
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "article" t0) as total from "article" t0 order by t0."id" asc limit 11 offset ?;
select t0."id" as c0, t0."rank" as c1, parents.value as parent from json_each(?) parents cross join "tag" t0 where t0."id" in (select t1."id" from "article_tags_tag" t2 cross join "tag" t1 where t2."articleId" = parents.value and t2."tagId" = t1."id" order by t2."tagId" asc limit 4 offset ?) order by t0."id" asc;

-- GET /articles?include=blog,comments.replies: 4
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15, (select count(*) as total from "article" t0) as total from "article" t0 order by t0."id" asc limit 11 offset ?;
select t0."id" as c0, t0."title" as c1, t0."id" as parent from "blog" t0 where (t0."id" in (select value from json_each(?)));
select cast(t0."id" as text) as c0, t0."body" as c1, t0."articleId" as parent from json_each(?) parents cross join "comment" t0 where t0."id" in (select t1."id" from "comment" t1 where t1."articleId" = parents.value order by t1."id" asc limit 11 offset ?) order by t0."id" asc;
select cast(t0."id" as text) as c0, t0."body" as c1, cast(t0."parentId" as text) as parent from json_each(?) parents cross join "comment" t0 where t0."id" in (select t1."id" from "comment" t1 where t1."parentId" = parents.value order by t1."id" asc limit 11 offset ?) order by t0."id" asc;

-- GET /blogs?include=articles.comments&page[size]=10,articles:2,articles.comments:3: 3
select t0."id" as c0, t0."title" as c1, (select count(*) as total from "blog" t0) as total from "blog" t0 order by t0."id" asc limit 11 offset ?;
select * from (select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as parent, row_number() over (partition by t0."blogId" order by t0."id" asc) as position from "article" t0 where (t0."blogId" in (select value from json_each(?)))) ranked where position > ? and position <= ? order by position;
select cast(t0."id" as text) as c0, t0."body" as c1, t0."articleId" as parent from json_each(?) parents cross join "comment" t0 where t0."id" in (select t1."id" from "comment" t1 where t1."articleId" = parents.value order by t1."id" asc limit 4 offset ?) order by t0."id" asc;

-- GET /articles?include=comments&filter[comments]=has(replies)&sort[comments]=-body: 2
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "article" t0) as total from "article" t0 order by t0."id" asc limit 11 offset ?;
select cast(t0."id" as text) as c0, t0."body" as c1, t0."articleId" as parent from json_each(?) parents cross join "comment" t0 where t0."id" in (select t1."id" from "comment" t1 where t1."articleId" = parents.value and +exists (select 1 from "comment" t2 where t2."parentId" = t1."id") order by t1."body" desc, t1."id" asc limit 11 offset ?) order by t0."body" desc, t0."id" asc;

-- GET /blogs/1/articles: 2
select t0."id" as c0 from "blog" t0 where t0."id" = ?;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "article" t0 where t0."blogId" = ?) as total from "article" t0 where t0."blogId" = ? order by t0."id" asc limit 11 offset ?;

-- GET /articles/1/revisions: 2
select t0."id" as c0 from "article" t0 where t0."id" = ?;
select t0."id" as c0, t0."number" as c1 from "revision" t0 where t0."articleId" = ? order by t0."id" asc limit 3 offset ?;

-- GET /articles/1/blog: 2
select t0."id" as c0 from "article" t0 where t0."id" = ?;
select t0."id" as c0, t0."title" as c1 from "blog" t0 where t0."id" = (select t1."blogId" from "article" t1 where t1."id" = ?);

-- GET /tags/a/articles?include=comments: 3
select t0."id" as c0 from "tag" t0 where (t0."id" = ? collate binary);
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14 from "article" t0 where t0."id" in (select "articleId" from "article_tags_tag" where "tagId" = ?) order by t0."id" asc;
select cast(t0."id" as text) as c0, t0."body" as c1, t0."articleId" as parent from json_each(?) parents cross join "comment" t0 where t0."id" in (select t1."id" from "comment" t1 where t1."articleId" = parents.value order by t1."id" asc limit 11 offset ?) order by t0."id" asc;

-- GET /articles/1/relationships/blog: 2
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "article" t0 where t0."id" = ?;
select t0."id" as c0 from "blog" t0 where t0."id" = (select t1."blogId" from "article" t1 where t1."id" = ?);

-- GET /articles/1/relationships/tags: 2
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "article" t0 where t0."id" = ?;
select t0."id" as c0, (select count(*) as total from "tag" t0 where t0."id" in (select "tagId" from "article_tags_tag" where "articleId" = ?)) as total from "tag" t0 where t0."id" in (select "tagId" from "article_tags_tag" where "articleId" = ?) order by t0."id" asc limit 4 offset ?;

-- GET /articles/1/relationships/comments?include=comments.replies: 3
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "article" t0 where t0."id" = ?;
select cast(t0."id" as text) as c0, t0."body" as c1, (select count(*) as total from "comment" t0 where t0."articleId" = ?) as total from "comment" t0 where t0."articleId" = ? order by t0."id" asc limit 11 offset ?;
select cast(t0."id" as text) as c0, t0."body" as c1, cast(t0."parentId" as text) as parent from json_each(?) parents cross join "comment" t0 where t0."id" in (select t1."id" from "comment" t1 where t1."parentId" = parents.value order by t1."id" asc limit 11 offset ?) order by t0."id" asc;

-- GET /articles?page[size]=10 behind a cursor: 4
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."id" as k0 from "article" t0 order by t0."id" asc limit 11;
select count(*) as total from "article" t0;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."id" as k0 from "article" t0 where (t0."id") > (cast(? as integer)) order by t0."id" asc limit 11;
select count(*) as total from "article" t0;

-- GET /articles?page[size]=10 before a cursor: 4
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."id" as k0 from "article" t0 order by t0."id" asc limit 11;
select count(*) as total from "article" t0;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."id" as k0 from "article" t0 where (t0."id") < (cast(? as integer)) order by t0."id" desc limit 11;
select count(*) as total from "article" t0;

-- GET /articles?sort=-blog.title,subtitle behind a cursor: 4
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t1."title" as k0, t0."subtitle" as k1, t0."id" as k2 from "article" t0 left join "blog" t1 on t1."id" = t0."blogId" order by t1."title" desc, t0."subtitle" asc nulls last, t0."id" asc limit 11;
select count(*) as total from "article" t0;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t1."title" as k0, t0."subtitle" as k1, t0."id" as k2 from "article" t0 left join "blog" t1 on t1."id" = t0."blogId" where (t1."title" < ? or t1."title" is null or (t1."title" = ? and ((t0."subtitle" is null and (t0."id" > cast(? as integer)))))) order by t1."title" desc, t0."subtitle" asc nulls last, t0."id" asc limit 11;
select count(*) as total from "article" t0;

-- POST /blogs: 1
insert into "blog" ("title") values (?) returning "blog"."id" as c0, "blog"."title" as c1;

-- POST /articles with a blog and tags: 6
select t0."id" as c0 from "blog" t0 where t0."id" = ?;
select t0."id" as c0 from "tag" t0 where (t0."id" = ? collate binary);
insert into "article" ("views", "title", "blogId") values (0, ?, ?) returning "id" as key0;
DELETE from "article_tags_tag" where "articleId" = ? and not ("tagId" in (select value from json_each(?)));
insert into "article_tags_tag" ("articleId", "tagId") select ?, value from json_each(?) where true on conflict do nothing;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "article" t0 where t0."id" = ?;

-- PATCH /articles/1 of attributes: 1
UPDATE "article" set "title" = ?, "views" = ? where "id" = ? returning "article"."id" as c0;

-- PATCH /articles/1 of a relationship: 1
UPDATE "article" set "blogId" = ? where "id" = ? returning "article"."id" as c0;

-- PATCH /articles/1/relationships/blog: 3
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "article" t0 where t0."id" = ?;
select t0."id" as c0 from "blog" t0 where t0."id" = ?;
UPDATE "article" set "blogId" = ? where "id" = ?;

-- POST /articles/1/relationships/tags: 3
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "article" t0 where t0."id" = ?;
select t0."id" as c0 from "tag" t0 where (t0."id" = ? collate binary);
insert into "article_tags_tag" ("articleId", "tagId") select ?, value from json_each(?) where true on conflict do nothing;

-- DELETE /articles/1/relationships/tags: 3
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "article" t0 where t0."id" = ?;
select t0."id" as c0 from "tag" t0 where (t0."id" = ? collate binary);
DELETE from "article_tags_tag" where "articleId" = ? and ("tagId" in (select value from json_each(?)));

-- PATCH /articles/1/relationships/tags: 4
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "article" t0 where t0."id" = ?;
select t0."id" as c0 from "tag" t0 where (t0."id" = ? collate binary);
DELETE from "article_tags_tag" where "articleId" = ? and not ("tagId" in (select value from json_each(?)));
insert into "article_tags_tag" ("articleId", "tagId") select ?, value from json_each(?) where true on conflict do nothing;

-- PATCH /blogs/1/relationships/articles: 4
select t0."id" as c0, t0."title" as c1 from "blog" t0 where t0."id" = ?;
select t0."id" as c0 from "article" t0 where t0."id" = ?;
UPDATE "article" set "blogId" = ? where "blogId" = ? and not ("id" in (select value from json_each(?)));
UPDATE "article" set "blogId" = ? where ("id" in (select value from json_each(?)));

-- POST /operations: add, link, update, remove: 10
insert into "blog" ("title") values (?) returning "id" as key0;
select t0."id" as c0, t0."title" as c1 from "blog" t0 where t0."id" = ?;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "article" t0 where t0."id" = ?;
select t0."id" as c0 from "blog" t0 where t0."id" = ?;
UPDATE "article" set "blogId" = ? where "id" = ?;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, cast(t0."bytes" as text) as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "article" t0 where t0."id" = ?;
UPDATE "article" set "views" = ? where "id" = ?;
select t0."id" as c0, t0."rank" as c1 from "tag" t0 where (t0."id" = ? collate binary);
DELETE from "article_tags_tag" where "tagId" = ?;
DELETE from "tag" where "id" = ?;

-- DELETE /tags/a: 3
select t0."id" as c0, t0."rank" as c1 from "tag" t0 where (t0."id" = ? collate binary);
DELETE from "article_tags_tag" where "tagId" = ?;
DELETE from "tag" where "id" = ?;

-- GET /vehicles: 1
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."passengerCount" as c5, t0."licensePlate" as c6, t0."seatCount" as c7, t0."mileage" as c8, t0."loadingCapacity" as c9, (select count(*) as total from "vehicles" t0 where likely(t0."kind" in (?, ?, ?, ?))) as total from "vehicles" t0 where ((t0."kind" in (?, ?, ?, ?)) is true) order by t0."id" asc limit 11 offset ?;

-- GET /vehicles/1: 1
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."manufacturerId" as c5, t0."cargoBoxId" as c6, t0."passengerCount" as c7, t0."foldingDimensionsId" as c8, t0."licensePlate" as c9, t0."seatCount" as c10, t0."mileage" as c11, t0."engineId" as c12, t0."loadingCapacity" as c13, t0."sleepingAreaId" as c14 from "vehicles" t0 where t0."id" = ?;

-- GET /bikes?sort=-gearCount: 1
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."passengerCount" as c5, (select count(*) as total from "vehicles" t0 where t0."kind" in (?, ?)) as total from "vehicles" t0 where t0."kind" in (?, ?) order by t0."gearCount" desc, t0."id" asc limit 11 offset ?;

-- GET /motorVehicles?filter=greaterThan(engine.capacity,'0'): 1
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."licensePlate" as c4, t0."seatCount" as c5, t0."mileage" as c6, t0."loadingCapacity" as c7, (select count(*) as total from "vehicles" t0 left join "engines" t1 on t1."id" = t0."engineId" and ((t1."kind" in (?, ?)) is true) where t0."kind" in (?, ?) and (t1."capacity" > ?)) as total from "vehicles" t0 left join "engines" t1 on t1."id" = t0."engineId" and ((t1."kind" in (?, ?)) is true) where t0."kind" in (?, ?) and (t1."capacity" > ?) order by t0."id" asc limit 11 offset ?;

-- GET /vehicles?filter=isType(,cars,has(features)): 1
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."licensePlate" as c4, t0."seatCount" as c5, t0."mileage" as c6, (select count(*) as total from "vehicles" t0 where t0."kind" in (?) and (t0."kind" in (?) and +exists (select 1 from "feature" t1 join "vehicles_car_features_feature" t2 on t2."featureId" = t1."id" where t2."vehiclesId" = t0."id"))) as total from "vehicles" t0 where t0."kind" in (?) and (t0."kind" in (?) and +exists (select 1 from "feature" t1 join "vehicles_car_features_feature" t2 on t2."featureId" = t1."id" where t2."vehiclesId" = t0."id")) order by t0."id" asc limit 11 offset ?;

-- GET /vehicles?include=features: 4
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."passengerCount" as c5, t0."licensePlate" as c6, t0."seatCount" as c7, t0."mileage" as c8, t0."loadingCapacity" as c9, (select count(*) as total from "vehicles" t0 where likely(t0."kind" in (?, ?, ?, ?))) as total from "vehicles" t0 where ((t0."kind" in (?, ?, ?, ?)) is true) order by t0."id" asc limit 11 offset ?;
select t0."id" as c0, t0."description" as c1, parents.value as parent from json_each(?) parents cross join "feature" t0 where t0."id" in (select t1."id" from "vehicles_tandem_features_feature" t2 cross join "feature" t1 where t2."vehiclesId" = parents.value and t2."featureId" = t1."id" order by t2."featureId" asc limit 11 offset ?) order by t0."id" asc;
select t0."id" as c0, t0."description" as c1, parents.value as parent from json_each(?) parents cross join "feature" t0 where t0."id" in (select t1."id" from "vehicles_car_features_feature" t2 cross join "feature" t1 where t2."vehiclesId" = parents.value and t2."featureId" = t1."id" order by t2."featureId" asc limit 11 offset ?) order by t0."id" asc;
select t0."id" as c0, t0."description" as c1, parents.value as parent from json_each(?) parents cross join "feature" t0 where t0."id" in (select t1."id" from "vehicles_truck_features_feature" t2 cross join "feature" t1 where t2."vehiclesId" = parents.value and t2."featureId" = t1."id" order by t2."featureId" asc limit 11 offset ?) order by t0."id" asc;

-- GET /vehicles?include=engine.cylinders: 3
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."passengerCount" as c5, t0."licensePlate" as c6, t0."seatCount" as c7, t0."mileage" as c8, t0."engineId" as c9, t0."loadingCapacity" as c10, (select count(*) as total from "vehicles" t0 where likely(t0."kind" in (?, ?, ?, ?))) as total from "vehicles" t0 where ((t0."kind" in (?, ?, ?, ?)) is true) order by t0."id" asc limit 11 offset ?;
select t0."kind" as c0, t0."id" as c1, t0."capacity" as c2, t0."gasolineCode" as c3, t0."dieselCode" as c4, t0."viscosity" as c5, t0."id" as parent from "engines" t0 where (t0."id" in (select value from json_each(?)));
select * from (select t0."id" as c0, t0."sparks" as c1, t0."engineId" as parent, row_number() over (partition by t0."engineId" order by t0."id" asc) as position from "cylinder" t0 where (t0."engineId" in (select value from json_each(?)))) ranked where position > ? and position <= ? order by position;

-- GET /manufacturers/1/vehicles: 2
select t0."id" as c0 from "manufacturer" t0 where t0."id" = ?;
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."passengerCount" as c5, t0."licensePlate" as c6, t0."seatCount" as c7, t0."mileage" as c8, t0."loadingCapacity" as c9, (select count(*) as total from "vehicles" t0 where t0."manufacturerId" = ? and likely(t0."kind" in (?, ?, ?, ?))) as total from "vehicles" t0 where t0."manufacturerId" = ? and ((t0."kind" in (?, ?, ?, ?)) is true) order by t0."id" asc limit 11 offset ?;

-- GET /vehicles/2/features: 2
select t0."kind" as c0, t0."id" as c1 from "vehicles" t0 where t0."id" = ?;
select t0."id" as c0, t0."description" as c1, (select count(*) as total from "feature" t0 where t0."id" in (select "featureId" from "vehicles_car_features_feature" where "vehiclesId" = ?)) as total from "feature" t0 where t0."id" in (select "featureId" from "vehicles_car_features_feature" where "vehiclesId" = ?) order by t0."id" asc limit 11 offset ?;

-- POST /cars: 1
insert into "vehicles" ("weight", "requiresDriverLicense", "licensePlate", "kind", "seatCount", "manufacturerId") values (0, 0, ?, ?, ?, ?) returning "vehicles"."kind" as c0, "vehicles"."id" as c1, "vehicles"."weight" as c2, "vehicles"."requiresDriverLicense" as c3, "vehicles"."licensePlate" as c4, "vehicles"."seatCount" as c5, "vehicles"."mileage" as c6, "vehicles"."manufacturerId" as c7, "vehicles"."engineId" as c8;

-- PATCH /vehicles/2 of a car: 2
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."manufacturerId" as c5, t0."cargoBoxId" as c6, t0."passengerCount" as c7, t0."foldingDimensionsId" as c8, t0."licensePlate" as c9, t0."seatCount" as c10, t0."mileage" as c11, t0."engineId" as c12, t0."loadingCapacity" as c13, t0."sleepingAreaId" as c14 from "vehicles" t0 where t0."id" = ?;
UPDATE "vehicles" set "weight" = ? where "id" = ? and "kind" in (?);
